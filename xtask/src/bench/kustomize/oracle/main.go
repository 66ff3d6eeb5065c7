// Builds folders over and over within one process with the reference's own
// library, and prints the nanoseconds that one build took. Builds of one process
// run one at a time, as in Flux: the schema is global there.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func main() {
	repeat, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	folders := os.Args[2:]
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionLegacy
	began := time.Now()
	for i := 0; i < repeat; i++ {
		for _, folder := range folders {
			built, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), folder)
			if err != nil {
				panic(err)
			}
			if _, err := built.AsYaml(); err != nil {
				panic(err)
			}
		}
	}
	fmt.Println(time.Since(began).Nanoseconds() / int64(repeat*len(folders)))
}
