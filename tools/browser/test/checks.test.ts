import { testChecks } from './support/test-checks.js';

// These checks are in one file, so that they share one gateway and one Chromium.
testChecks(1, 2, 3, 4, 5, 6, 7, 18, 23);
