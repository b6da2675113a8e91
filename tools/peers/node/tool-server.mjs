// An MCP server over standard input and output that offers one tool, named by the first argument.
import { createInterface } from 'node:readline';

const [, , name] = process.argv;
const TOOL = { name, description: 'Tells the degrees of a city.', inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } };

const RESULTS = {
  'initialize': ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'house', version: '1.0.0' } }),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': ({ arguments: { city } }) => ({ content: [{ type: 'text', text: `18 degrees in ${city}` }] }),
  'ping': () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = Object.hasOwn(RESULTS, method) ? { result: RESULTS[method](params) } : { error: { code: -32_601, message: `There is no method ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
}
