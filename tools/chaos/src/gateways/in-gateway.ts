import { Server } from 'node:net';
import { RandomIds } from '@tollgate/adapters-node';
import { type Death, type GatewayNews, type GatewayOrder, KILL_POINTS, type KillPoint, placeKillPoint, watchMethod } from './kill-points.js';

// Loaded by --import into the gateway's program, which is unchanged.

const ABANDONED_EXIT_CODE = 130;
let death: Death | null = null;
let passed = 0;

function pass(point: KillPoint): void {
  if (death?.point !== point) return;
  passed += 1;
  if (passed === death.passing) process.kill(process.pid, 'SIGKILL');
}

function tell(news: GatewayNews): void {
  process.send?.(news);
}

function tellPort(answer: unknown): unknown {
  const server = answer as Server;
  server.once('listening', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') tell({ news: 'listening', port: address.port });
  });
  return server;
}

function tellProcess(answer: unknown): unknown {
  tell({ news: 'process', processId: String(answer) });
  return answer;
}

for (const point of KILL_POINTS) placeKillPoint(point, () => pass(point));
watchMethod(Server, 'listen', { after: tellPort });
watchMethod(RandomIds, 'processId', { after: tellProcess });
process.on('message', (message) => {
  const order = message as GatewayOrder;
  if (order.order === 'report') {
    process.report.writeReport(order.file);
    return;
  }
  death = order.death;
  passed = 0;
});
// The gateway ends when the chaos run does, but the channel alone does not keep it alive.
process.once('disconnect', () => process.exit(ABANDONED_EXIT_CODE));
process.channel?.unref();
