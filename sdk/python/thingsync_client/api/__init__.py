# flake8: noqa

# import apis into api package
from thingsync_client.api.thingsync_api import ThingsyncApi
