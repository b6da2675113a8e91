/** A browser's answer to a ceremony, in the form of `PublicKeyCredential.toJSON`, of which every part has the right type and a bounded length. */
export interface BrowserAnswer {
  readonly id: string;
  readonly challenge: string;
  readonly clientDataJson: string;
  readonly parts: Readonly<Record<string, string>>;
  readonly transports: readonly string[];
}

const BASE64URL = /^[A-Za-z0-9_-]*$/;
/** 1,023 bytes, the longest that the protocol allows. */
const LONGEST_ID = 1_364;
const LONGEST_CLIENT_DATA = 4_096;
const LONGEST_PART = 16_384;
const TRANSPORTS: ReadonlySet<unknown> = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longest && BASE64URL.test(value);
}

/** The challenge in the data that the browser adds; `null` also for answers from a page inside a frame of another site. */
function challengeIn(clientDataJson: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'));
    return isObject(data) && data['crossOrigin'] !== true && typeof data['challenge'] === 'string' ? data['challenge'] : null;
  } catch {
    return null;
  }
}

function partsOf(response: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const names = ['attestationObject', 'authenticatorData', 'signature', 'userHandle'];
  return Object.fromEntries(names.flatMap((name) => (isText(response[name], LONGEST_PART) ? [[name, response[name]]] : [])));
}

/** `null` for anything else. Parts that the ceremony lacks show when it is verified. */
export function readBrowserAnswer(answer: unknown): BrowserAnswer | null {
  if (!isObject(answer) || answer['type'] !== 'public-key' || !isText(answer['id'], LONGEST_ID) || answer['rawId'] !== answer['id']) return null;
  const { id, response } = answer;
  if (!isObject(response) || !isText(response['clientDataJSON'], LONGEST_CLIENT_DATA)) return null;
  const { clientDataJSON: clientDataJson, transports } = response;
  const challenge = challengeIn(clientDataJson);
  if (challenge === null) return null;
  const known = Array.isArray(transports) ? [...new Set(transports.filter((transport) => TRANSPORTS.has(transport)))] as string[] : [];
  return { id, challenge, clientDataJson, parts: partsOf(response), transports: known };
}
