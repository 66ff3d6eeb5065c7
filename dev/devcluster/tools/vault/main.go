// Vault in memory, unsealed, over HTTP: its core, its own handler, the transit engine and the
// Kubernetes and JWT methods of its login. The whole command line would take several times as long
// to build, with databases and clouds that no test asks for. VAULT_DEV_ROOT_TOKEN_ID is the root
// token.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/hashicorp/go-hclog"
	jwt "github.com/hashicorp/vault-plugin-auth-jwt"
	kubernetes "github.com/hashicorp/vault-plugin-auth-kubernetes"
	"github.com/hashicorp/vault/builtin/logical/transit"
	"github.com/hashicorp/vault/helper/namespace"
	vaulthttp "github.com/hashicorp/vault/http"
	"github.com/hashicorp/vault/internalshared/configutil"
	"github.com/hashicorp/vault/sdk/helper/consts"
	"github.com/hashicorp/vault/sdk/logical"
	"github.com/hashicorp/vault/sdk/physical/inmem"
	"github.com/hashicorp/vault/vault"
)

// What is compiled in comes to the core as factories; there are no other plugins.
type none struct{}

func (none) Contains(string, consts.PluginType) bool { return false }
func (none) Get(string, consts.PluginType) (func() (interface{}, error), bool) {
	return nil, false
}
func (none) Keys(consts.PluginType) []string { return nil }
func (none) DeprecationStatus(string, consts.PluginType) (consts.DeprecationStatus, bool) {
	return consts.Unknown, false
}
func (none) IsBuiltinEntPlugin(string, consts.PluginType) bool { return false }

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: vault FILE, which will say where it listens")
	}
	if err := serve(os.Args[1], os.Getenv("VAULT_DEV_ROOT_TOKEN_ID")); err != nil {
		log.Fatal(err)
	}
}

func serve(told, root string) error {
	logger := hclog.New(&hclog.LoggerOptions{Output: os.Stderr, Level: hclog.Warn})
	storage, err := inmem.NewInmem(nil, logger)
	if err != nil {
		return err
	}
	core, err := vault.NewCore(&vault.CoreConfig{
		Physical:        storage,
		LogicalBackends: map[string]logical.Factory{"transit": transit.Factory},
		CredentialBackends: map[string]logical.Factory{
			"jwt":        jwt.Factory,
			"kubernetes": kubernetes.Factory,
		},
		BuiltinRegistry: none{},
		DisableMlock:    true,
		Logger:          logger,
	})
	if err != nil {
		return err
	}
	ctx := namespace.RootContext(context.Background())
	seal := &vault.SealConfig{SecretShares: 1, SecretThreshold: 1}
	made, err := core.Initialize(ctx, &vault.InitParams{
		BarrierConfig:    seal,
		RecoveryConfig:   seal,
		LegacyShamirSeal: true,
	})
	if err != nil {
		return err
	}
	if _, err := core.Unseal(made.SecretShares[0]); err != nil {
		return err
	}
	_, err = core.HandleRequest(ctx, &logical.Request{
		ID:          "root",
		Operation:   logical.UpdateOperation,
		ClientToken: made.RootToken,
		Path:        "auth/token/create",
		Data: map[string]interface{}{
			"id":                root,
			"policies":          []string{"root"},
			"no_parent":         true,
			"no_default_policy": true,
		},
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := listener.Addr().String()
	if err := os.WriteFile(told+".partial", []byte(address), 0o600); err != nil {
		return err
	}
	if err := os.Rename(told+".partial", told); err != nil {
		return err
	}
	return http.Serve(listener, vaulthttp.Handler.Handler(&vault.HandlerProperties{
		Core:           core,
		ListenerConfig: &configutil.Listener{Address: address},
	}))
}
