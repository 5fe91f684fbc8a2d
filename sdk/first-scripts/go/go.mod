module example.org/first-script

go 1.23.0

require (
	golang.org/x/oauth2 v0.30.0 // indirect
	gopkg.in/validator.v2 v2.0.1 // indirect
)
