//go:build tools

// Package frp pins the frp that the benchmarks compare with.
package frp

import (
	_ "github.com/fatedier/frp/cmd/frpc"
	_ "github.com/fatedier/frp/cmd/frps"
)
