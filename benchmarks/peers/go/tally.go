package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"
)

// tally knows what was reconciled, and tells the benchmark.
type tally struct {
	mutex      sync.Mutex
	seen       []bool
	left       int
	lastWrite  []int64
	latencies  []int64
	characters int
}

func newTally(objects int) *tally {
	return &tally{seen: make([]bool, objects), left: objects, lastWrite: make([]int64, objects), latencies: []int64{}}
}

func (t *tally) reconciled(index, writtenAt int64, image string) {
	now := time.Now().UnixMicro()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.characters += len(image)
	if !t.seen[index] {
		t.seen[index] = true
		t.lastWrite[index] = writtenAt
		t.left--
		if t.left == 0 {
			fmt.Println(`{"event":"reconciled"}`)
		}
	} else if writtenAt != t.lastWrite[index] {
		t.lastWrite[index] = writtenAt
		t.latencies = append(t.latencies, now-writtenAt)
	}
}

func (t *tally) report() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	answer := map[string]any{"event": "report", "latencies": t.latencies, "characters": t.characters}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
