import { testChecks } from './support/test-checks.js';

testChecks(5, 18, 23);
