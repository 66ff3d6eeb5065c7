package main

import (
	"encoding/json"

	release "helm.sh/helm/v3/pkg/release"
)

// helm3 writes a record with the structs of Helm 3.
func helm3(record []byte) (string, error) {
	var rel release.Release
	if err := json.Unmarshal(record, &rel); err != nil {
		return "", err
	}
	written, err := json.Marshal(&rel)
	return string(written), err
}
