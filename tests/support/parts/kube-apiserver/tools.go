//go:build tools

// Package apiserver pins the kube-apiserver that the tests of the mesh run.
package apiserver

import _ "k8s.io/kubernetes/cmd/kube-apiserver"
