import { testChecks } from './support/test-checks.js';

testChecks(3, 4, 6, 7);
