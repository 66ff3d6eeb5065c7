// Command oracle asks Masterminds/semver which versions and constraints it takes, and what it
// says of their pairs, and records the answers.
//
// Recipe: go run . ..
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"

	"github.com/Masterminds/semver/v3"
)

type versionCase struct {
	Version string `json:"version"`
	// Strict is the error of the strict reader; absent when it takes the version.
	Strict string `json:"strict,omitempty"`
	Error  string `json:"error,omitempty"`
	// Shown is the version as it is printed.
	Shown string `json:"shown,omitempty"`
}

type constraintCase struct {
	Constraint string `json:"constraint"`
	Error      string `json:"error,omitempty"`
	Shown      string `json:"shown,omitempty"`
	// Matches has a letter for each version of the list: y or n.
	Matches string `json:"matches,omitempty"`
}

type record struct {
	Versions []versionCase `json:"versions"`
	// Candidates are the versions that were taken.
	Candidates []string `json:"candidates"`
	// Orders has a row for each candidate, and in it a sign for each candidate.
	Orders      []string         `json:"orders"`
	Constraints []constraintCase `json:"constraints"`
}

var versions = []string{
	"0.0.0", "0.0.1", "0.0.3", "0.0.4", "0.1.0", "0.1.9", "0.2.0", "0.2.3", "0.2.9", "0.3.0", "1.0.0", "1.0.1",
	"1.1.0", "1.1.9", "1.2.0", "1.2.2", "1.2.3", "1.2.4", "1.2.9", "1.3.0", "1.9.9", "2.0.0", "2.0.1", "2.3.4",
	"3.0.0", "11.0.0", "11.1.0", "12.0.0", "v1.2.3", "v2", "v1.2", "1", "1.2", "01.2.3", "1.02.3", "1.2.03",
	"1.2.3-alpha", "1.2.3-alpha.1", "1.2.3-alpha.beta", "1.2.3-beta", "1.2.3-beta.2", "1.2.3-beta.11", "1.2.3-rc.1",
	"1.2.3-0", "1.2.3-1", "1.2.3--1", "1.2.3-a.b.c", "1.2.3-99999999999999999999", "1.2.3-x", "1.2.3-01",
	"1.2.3+build", "1.2.3+build.1", "1.2.3-alpha+build", "1.2.3+01", "2.0.0-0", "2.0.0-rc.1", "1.3.0-beta",
	"0.0.0-0", "0.0.1-alpha", "0.1.0-rc1", "18446744073709551615.0.0", "18446744073709551616.0.0",
	"", "v", "V1.2.3", "vv1.2.3", " 1.2.3", "1.2.3 ", "1.2.3.4", "a.b.c", "1.2.x", "1.-2.3", "1.2.3-", "1.2.3+",
	"1.2.3-a..b", "1.2.3+a..b", "1.2.3-a_b", "1..3", ".1.2", "1.2.", "release-1.2.3", "1.2.3-é", "=1.2.3",
	"1.2.3-alpha-", "1.2.3-alpha.0", "1.2.3-0a", "1.2.3-00a", "20240101.1.2", "2024.01.02", "1.2.3-10", "1.2.3-9",
}

var constraints = []string{
	"", "*", "x", "X", ">=0", "^1", "~1", "1.x", "1.2.x", "1.*", "1.2.*", "1.X.3", "=1.2", "= 1.2.3", "!=1.2.3",
	"!=1.2", "!=1", "!=1.x", "!=1.2.x", ">1", ">1.2", ">1.2.3", "<1", "<1.2", "<1.2.3", ">=1.2", "=>1.2.3", "<=1",
	"<=1.2", "=<1.2.3", "~1.2", "~1.2.3", "~>1.2", "~> 1.2.3", "~0", "~0.0", "~0.0.0", "~0.2.3", "^1.2", "^1.2.3",
	"^0", "^0.0", "^0.0.3", "^0.2", "^0.2.3", "^x", "~x", ">x", "<x", ">=x", "<=x", "!=x", "=x", "1 - 2", "1.2 - 1.3",
	"1.2.3 - 2.0.0", "1.2.3 - 1.2.9 || 2.x", "1.2.3 -2", "1.2.3- 2", ">=1.0.0 <2.0.0", ">=1.0.0, <2.0.0",
	">=1.0.0,<2.0.0", ">= 1.0.0 , < 2.0.0", "1.x || 2.x", "1.x||2.x", "1.x || || 2.x", "||", "|| 1", "1 ||",
	">=1.2.3-alpha", ">=1.2.3-0", "^1.2.3-alpha", "~1.2.3-beta.2", "1.2.3-alpha", "=1.2.3-alpha", "!=1.2.3-alpha",
	">1.2.3-alpha <1.2.4", ">=1.0.0-0 <2.0.0-0", "<2.0.0-0", "1.2.3+build", ">=1.2.3+build", "1.2.3-alpha+build",
	"v1.2.3", ">=v1.2.3", "^v1", "V1", "=", ">", ">>1", "=>", "1.2.3.4", "1.2.3.4.5", "a", "1.a", "^1.2.3a",
	">=1.0.0 <2.0.0 || >=3", ">=1.0.0 || <0.1.0", "> 1.0 , < 2 || ^11", "1.2.3 1.2.3", "1,2", "1, 2", "1 ,2", "1 , 2",
	",1", "1,", " 1.2.3 ", "\t1.2.3\t", "1.2.3\n", "1 2 3", "^1 ^2", "~1.2.x", "~1.x.x", "^1.x.x", "1.x.x", "x.1.2", "*.*.*", "*.1",
	"1.2.x-alpha", "1.x-alpha", "1-alpha", "^1-alpha", ">1-alpha", "!=1.2.x-alpha", "!=1-alpha", "<=1.2-alpha",
	"01.2.3", "^01", "=1.02.3", "1.2.3-01", "18446744073709551616", ">18446744073709551615", "11|2", "|", "1xx", "xx", "1.xx", "**",
	"1.2.3 - 2.0.0-alpha", "1 - 2 - 3", "1.0-2.0", "1.0 -  2.0", ">1 - 2", "^1 - 2", "1.x - 2.x", "<>1", "!1", "==1", "~=1", "=~1", "^=1",
	"é", "1 || é", ">=1.2.3 é", "1.2.3 \u00a0|| 2",
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func main() {
	random := rand.New(rand.NewSource(1))
	operators := []string{"", "=", "!=", ">", "<", ">=", "=>", "<=", "=<", "~", "~>", "^"}
	joints := []string{" ", ", ", ",", " || ", "||", " - "}
	part := func() string {
		return []string{"0", "1", "2", "3", "11", "x", "*"}[random.Intn(7)]
	}
	single := func() string {
		c := operators[random.Intn(len(operators))]
		if random.Intn(3) == 0 {
			c += " "
		}
		c += part()
		for i := 0; i < 2 && random.Intn(4) > 0; i++ {
			c += "." + part()
		}
		if random.Intn(5) == 0 {
			c += "-" + []string{"0", "alpha", "beta.2", "rc.1"}[random.Intn(4)]
		}
		return c
	}
	for range 400 {
		c := single()
		for random.Intn(3) == 0 {
			c += joints[random.Intn(len(joints))] + single()
		}
		constraints = append(constraints, c)
	}
	var out record
	for _, v := range versions {
		_, strict := semver.StrictNewVersion(v)
		parsed, err := semver.NewVersion(v)
		c := versionCase{Version: v, Strict: text(strict), Error: text(err)}
		if err == nil {
			c.Shown = parsed.String()
			out.Candidates = append(out.Candidates, v)
		}
		out.Versions = append(out.Versions, c)
	}
	for _, l := range out.Candidates {
		row := ""
		for _, r := range out.Candidates {
			row += string("<=>"[semver.MustParse(l).Compare(semver.MustParse(r))+1])
		}
		out.Orders = append(out.Orders, row)
	}
	for _, text := range constraints {
		c := constraintCase{Constraint: text}
		if parsed, err := semver.NewConstraint(text); err != nil {
			c.Error = err.Error()
		} else {
			c.Shown = parsed.String()
			for _, v := range out.Candidates {
				if parsed.Check(semver.MustParse(v)) {
					c.Matches += "y"
				} else {
					c.Matches += "n"
				}
			}
		}
		out.Constraints = append(out.Constraints, c)
	}
	encoded, err := json.MarshalIndent(out, "", " ")
	check(err)
	check(os.WriteFile(filepath.Join(os.Args[1], "semver.json"), append(encoded, '\n'), 0o644))
	fmt.Printf("%d versions, %d orders, %d constraints over %d candidates\n", len(out.Versions), len(out.Orders), len(out.Constraints), len(out.Candidates))
}
