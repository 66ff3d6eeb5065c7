// Gitea as it is, with SQLite in Go: what its own build asks of a compiler for C is done by another
// driver under the same name.
package main

import (
	"database/sql"
	"database/sql/driver"
	"os"
	"regexp"
	"strings"
	"time"

	"code.gitea.io/gitea/cmd"
	"code.gitea.io/gitea/modules/log"
	"code.gitea.io/gitea/modules/setting"
	"modernc.org/sqlite"
)

const version = "1.26.0"

var pragma = regexp.MustCompile(`_(busy_timeout|journal_mode)=([^&]*)`)

// The file is named in the dialect of the driver that is not here. Connections of one cache would
// be told that a table is locked, and wait for nothing.
type inGo struct{ driver.Driver }

func (d inGo) Open(name string) (driver.Conn, error) {
	name = strings.Replace(name, "cache=shared", "cache=private", 1)
	return d.Driver.Open(pragma.ReplaceAllString(name, "_pragma=$1($2)"))
}

func main() {
	sql.Register("sqlite3", inGo{&sqlite.Driver{}})
	setting.EnableSQLite3 = true
	setting.SupportedDatabaseTypes = append(setting.SupportedDatabaseTypes, "sqlite3")
	setting.AppVer = version
	setting.AppStartTime = time.Now().UTC()
	err := cmd.RunMainApp(cmd.NewMainApp(cmd.AppVersion{Version: version}), os.Args...)
	log.GetManager().Close()
	if err != nil {
		os.Exit(1)
	}
}
