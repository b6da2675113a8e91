import { runTool } from '@tollgate/kit';
import { runBench } from './run-bench.js';

await runTool(runBench);
