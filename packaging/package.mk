# Packages, releases and the documentation site (docs/dev/release.md).

.PHONY: deps-package to-pack deb tarball image sbom release package-check package-tests site site-libraries

# Packs a program that was built before: FOLDER/jisui, with its plug-ins in FOLDER/plugins.
ifdef BUILT
JISUI := $(BUILT)/jisui
PLUGINS := $(BUILT)/plugins
to-pack: deps-package
else
to-pack: build plugins deps-package
endif

# The folder of the finished packages.
DIST ?= .build-package/dist
PACK = JISUI=$(abspath $(JISUI)) PLUGINS=$(abspath $(PLUGINS)) DIST=$(abspath $(DIST))

deps-package:
	@$(call install_missing,package)

deb: to-pack ## make the Debian packages of this system's suite, in .build-package/dist
	@$(PACK) packaging/deb

tarball: to-pack ## make a folder with all libraries that runs from any place, packed
	@$(PACK) packaging/tarball

image: tarball ## make an image for containers from the tarball
	@$(PACK) packaging/image

sbom: image ## list the parts of the tarball and of the image in CycloneDX, and validate the lists
	@$(PACK) packaging/sbom

package-check: ## check the scripts that pack, with the built program, in seconds
	@$(PACK) packaging/tests/scripts

package-tests: deps-package ## try the packages in DIST: lintian, autopkgtest, piuparts, bare systems
	@$(PACK) packaging/tests/run $(CHECKS)

release: deps-package ## make everything of a version in one folder: make release VERSION=1.2.3
	@$(PACK) packaging/release "$(VERSION)"

site: deps-package ## make the documentation a web site with search, in .build-package/site
	@packaging/site/make

site-libraries: build ## make the documentation of the Swift libraries a web site, in .build-package/libraries
	@packaging/site/libraries
