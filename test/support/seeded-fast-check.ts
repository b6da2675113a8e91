import { configureGlobal } from '../../node_modules/fast-check/lib/fast-check.js';

// Every run has the same cases, so that a new failure is due to a change. FAST_CHECK_SEED selects other cases.
configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 20_261_121) });

export * from '../../node_modules/fast-check/lib/fast-check.js';
