import { setTimeout as pause } from 'node:timers/promises';

const READY_MILLISECONDS = 60_000;
/** Maximum time from SIGTERM to exit while no request runs. */
const STOP_MILLISECONDS = 10_000;

const WRITE_TO_ROOT = "try { require('fs').writeFileSync('/app/written', ''); console.log('written'); } catch (error) { console.log(error.code); }";

/** Runs the checks one after the other, and throws at the first that fails. */
export async function checkContainer(container, say) {
  const passed = (line) => say(`  ok  ${line}`);
  passed(`ready after ${await untilReady(container)} ms`);
  passed(`runs as user ${userOf(container)}`);
  expectRefusedWrite(container);
  passed('the root file system is read-only');
  passed(`serves the dashboard, ${await sizeOfDashboard(container)} bytes`);
  passed(`serves a request for ${await billedAmount(container)} service tokens, and the ledger adds up`);
  passed(`ends ${await millisecondsToStop(container)} ms after SIGTERM, with code 0`);
}

async function untilReady({ url }) {
  const startedAt = Date.now();
  while (Date.now() - startedAt < READY_MILLISECONDS) {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return Date.now() - startedAt;
    await pause(100);
  }
  throw new Error(`The gateway is not ready after ${READY_MILLISECONDS / 1_000} s.`);
}

function userOf(container) {
  const user = printed(container, ['node', '--print', 'process.getuid()']);
  if (!/^[1-9]\d*$/.test(user)) throw new Error(`Commands in the container run as user ${user}.`);
  return user;
}

function expectRefusedWrite(container) {
  const outcome = printed(container, ['node', '--eval', WRITE_TO_ROOT]);
  if (outcome !== 'EROFS') throw new Error(`A write to the root file system ends with ${outcome}, not with EROFS.`);
}

async function sizeOfDashboard({ url }) {
  const response = await fetch(`${url}/dashboard/`);
  const text = await response.text();
  if (!response.ok || !text.includes('<script')) throw new Error(`The dashboard responds with status ${response.status}.`);
  return text.length;
}

/** Creates an account, sends a request and verifies the books. Resolves with the charge. */
async function billedAmount(container) {
  const created = printed(container, ['tollgate', 'accounts', 'create', '--email', 'image@example.com', '--name', 'Image', '--credit', '100', '--json']);
  const response = await fetch(`${container.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${JSON.parse(created).key.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello!' }] }),
  });
  const { usage } = await response.json();
  const charge = usage?.svc_tokens_debited;
  if (!response.ok || !(Number(charge) > 0)) throw new Error(`The request returned status ${response.status} and charge ${charge}.`);
  printed(container, ['tollgate', 'ledger', 'verify']);
  return charge;
}

async function millisecondsToStop(container) {
  const startedAt = Date.now();
  const code = await container.stop();
  const duration = Date.now() - startedAt;
  if (code !== 0) throw new Error(`The gateway exited with code ${code} after SIGTERM.`);
  if (duration > STOP_MILLISECONDS) throw new Error(`The gateway took ${duration} ms to exit after SIGTERM.`);
  return duration;
}

function printed(container, command) {
  const { status, stdout, stderr } = container.exec(command);
  if (status !== 0) throw new Error(`"${command.join(' ')}" in the container ended with code ${status}: ${stderr || stdout}`);
  return stdout.trim();
}
