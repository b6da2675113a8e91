import type { Subjects } from '../checks/pages.js';
import { sendRequest, type Resident, type World } from './open-world.js';

const MODEL = 'sandbox-small';

/** Sends a request, and names it, its key and its model. */
export async function subjectsOf(world: World, resident: Resident): Promise<Subjects> {
  await sendRequest(world, resident, { model: MODEL, tokens: 60, isMessages: false });
  const headers = { authorization: `Bearer ${resident.secret}` };
  const { data } = await (await fetch(`${world.gateway.url}/v1/usage?limit=1`, { headers })).json() as { readonly data: readonly { readonly request_id: string; readonly key_id: string }[] };
  const [record] = data;
  if (record === undefined) throw new Error('the request has no record');
  return { requestId: record.request_id, keyId: record.key_id, model: MODEL };
}
