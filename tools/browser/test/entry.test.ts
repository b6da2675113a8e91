import { testChecks } from './support/test-checks.js';

testChecks(1, 2);
