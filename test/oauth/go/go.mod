module thingsync.example/oauth

go 1.24.0

require golang.org/x/oauth2 v0.34.0
