import { configureGlobal } from '../../node_modules/fast-check/lib/fast-check.js';

// Every run tries the same cases, so that a failure is of the change and not of the day. FAST_CHECK_SEED tries others.
configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 20_261_121) });

export * from '../../node_modules/fast-check/lib/fast-check.js';
