module tour

go 1.23

require thingsync.example/sdk v1.0.0
