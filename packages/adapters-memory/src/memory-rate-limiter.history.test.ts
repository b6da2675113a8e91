import { historyExtent, limiterHistoryContract } from '@tollgate/testkit';
import { limiterInMemory } from './test-support/limiter-in-memory.js';

limiterHistoryContract('memory', limiterInMemory, historyExtent('limits', 150));
