// PocketBase as the bench compares it: the program as it is, except that SQLite syncs its journal before each response
// (synchronous = FULL). PocketBase itself uses NORMAL, with which a crash of the machine can lose confirmed changes.
package main

import (
	"log"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
)

// The pragmas of PocketBase (core/db_connect.go) with another value of synchronous.
const pragmas = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)" +
	"&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)"

func main() {
	app := pocketbase.NewWithConfig(pocketbase.Config{
		DBConnect: func(path string) (*dbx.DB, error) { return dbx.Open("sqlite", path+pragmas) },
	})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}
