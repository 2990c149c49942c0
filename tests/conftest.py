from hypothesis import settings

# Speed is measured in benchmarks/, never in tests.
settings.register_profile("spider", deadline=None)
settings.load_profile("spider")
