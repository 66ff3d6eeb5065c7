package main

import (
	"encoding/json"

	"helm.sh/helm/v4/pkg/chart/common/util"
)

// checkSchema checks the values against a schema, as Helm does for one chart.
func checkSchema(v *vector) error {
	values := map[string]any{}
	if err := json.Unmarshal(v.Values, &values); err != nil {
		return err
	}
	if err := util.ValidateAgainstSingleSchema(values, v.Schema); err != nil {
		return err
	}
	v.Result = "valid"
	return nil
}
