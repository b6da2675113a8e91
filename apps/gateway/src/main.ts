import { runGateway } from './start/run-gateway.js';

await runGateway(process);
