import { runTool } from '@tollgate/kit';
import { runChaos } from './run-chaos.js';

await runTool(runChaos);
