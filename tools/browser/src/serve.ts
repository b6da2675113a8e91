import { addResident, openWorld, PASSWORD, passDays } from './index.js';

// A gateway with an owner, an operator and a month of requests, for people who work on the pages. Ends with Ctrl-C.
const world = await openWorld({ PORT: process.env['PORT'] ?? '0' });
const owner = await addResident(world, { email: 'ada@example.com', name: 'Ada' });
await addResident(world, { email: 'op@example.com', name: 'Operator', role: 'operator' });
await passDays(world, owner, { days: 30 });
process.stdout.write(`${world.origin}/dashboard\nOwner ada@example.com, operator op@example.com, password "${PASSWORD}"; key of the owner ${owner.secret}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void world.close().then(() => process.exit(0)));
