import { variable } from './variable.js';
import { networkList, seconds, wholeNumber } from './variable-schemas.js';

export const TRAFFIC_VARIABLES = {
  SHUTDOWN_DELAY_SECONDS: variable(seconds(0, 3_600), {
    default: '0', unit: 'seconds', meaning: 'How long the gateway continues to serve after the signal to stop, while /readyz answers 503, so that a load balancer can notice. SHUTDOWN_GRACE_SECONDS begins afterwards.',
  }),
  SHUTDOWN_GRACE_SECONDS: variable(seconds(0, 3_600), {
    default: '30', unit: 'seconds', meaning: 'How long running requests may continue once the gateway stops.',
  }),
  BODY_BYTES_IN_FLIGHT: variable(wholeNumber(4_194_304, 1_099_511_627_776), {
    default: '67108864', unit: 'bytes',
    meaning: 'Memory for request bodies that are arriving or waiting to be parsed; small bodies, of at most 64 KiB, have the same amount in addition. An account may take an eighth of it, at least 4 MiB.',
  }),
  UNBILLED_PER_MINUTE_ACCOUNT: variable(wholeNumber(0, 1_000_000_000), {
    default: '600', unit: 'units', formerName: 'UNBILLED_PER_MINUTE_KEY',
    meaning: 'Unbilled work per minute and account: refused requests, reads, replayed responses. A unit is a request, or 64 KiB of its body. A plan with more requests a minute allows as many units. 0 means no limit. The former name UNBILLED_PER_MINUTE_KEY is still read.',
  }),
  UNBILLED_PER_MINUTE_ADDRESS: variable(wholeNumber(0, 1_000_000_000), {
    default: '600', unit: 'units',
    meaning: 'Requests per minute without a valid API key from one IPv4 address or one IPv6 /64 network; a /56 network may send twice as many, a /48 network four times. 0 means no limit.',
  }),
  TRUST_PROXY: variable(networkList('off'), {
    default: 'off', unit: null,
    meaning: 'Proxies whose X-Forwarded-For the gateway trusts: off, or addresses and CIDR ranges separated by commas.',
  }),
  MAX_CONNECTIONS: variable(wholeNumber(1, 1_000_000), {
    default: '10000', unit: null,
    meaning: 'Maximum number of open client connections, and never more than 80 % of the file descriptors that the process may open, less the open sockets to upstreams. From 90 % of it on, idle ones are closed first; if none is idle, further ones are closed without a response.',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: variable(wholeNumber(1, 1_000_000), {
    default: '512', unit: null,
    meaning: 'Maximum number of open client connections from one IPv4 address or one IPv6 /64 network. Loopback and the proxies of TRUST_PROXY are exempt.',
  }),
} as const;
