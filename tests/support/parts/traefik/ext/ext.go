// Package ext holds the empty extension points which Traefik expects of its builder.
package ext

// HTTP adds nothing to Traefik's HTTP configuration.
type HTTP struct{}

// Router adds nothing to Traefik's routers.
type Router struct{}
