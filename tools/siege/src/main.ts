import { runTool } from '@tollgate/kit';
import { runSiege } from './run-siege.js';

await runTool(runSiege);
