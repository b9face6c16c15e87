#pragma once
#include <qpdf/Constants.h>
