module thingsync.example/sdk

go 1.23
