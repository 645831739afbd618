//go:build tools

// Package traefik pins the Traefik that the tests run.
package traefik

import _ "github.com/traefik/traefik/v3/cmd/traefik"
