module example.org/first-script

go 1.23
