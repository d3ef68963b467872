// Prints what the packages of a Go module export, as a JSON object of lists of names by package.
package main

import (
	"encoding/json"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Folders without packages that other modules import.
var skipped = []string{"internal", "testdata", "examples", "hack", "tools", "designs", "docs"}

func main() {
	root := os.Args[1]
	exported := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if path != root && (slices.Contains(skipped, entry.Name()) || strings.HasPrefix(entry.Name(), ".")) {
			return filepath.SkipDir
		}
		names, err := namesIn(path)
		if err != nil || len(names) == 0 {
			return err
		}
		folder, err := filepath.Rel(root, path)
		exported[folder] = names
		return err
	})
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(exported)
	}
	if err != nil {
		panic(err)
	}
}

func namesIn(folder string) ([]string, error) {
	isCode := func(file fs.FileInfo) bool { return !strings.HasSuffix(file.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), folder, isCode, 0)
	if err != nil {
		return nil, err
	}
	names := []string{}
	add := func(values []*doc.Value, functions []*doc.Func) {
		for _, value := range values {
			for _, name := range value.Names {
				if ast.IsExported(name) {
					names = append(names, name)
				}
			}
		}
		for _, function := range functions {
			names = append(names, function.Name)
		}
	}
	for name, parsed := range packages {
		if name == "main" {
			continue
		}
		documented := doc.New(parsed, folder, 0)
		add(documented.Consts, documented.Funcs)
		add(documented.Vars, nil)
		for _, kind := range documented.Types {
			names = append(names, kind.Name)
			add(kind.Consts, kind.Funcs)
			add(kind.Vars, nil)
		}
	}
	slices.Sort(names)
	return names, nil
}
