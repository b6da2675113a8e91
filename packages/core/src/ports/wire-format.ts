import type { WireFormatName } from '../billing/usage-record.js';
import type { GatewayError } from '../errors/gateway-error.js';
import type { ContextOverflow, ErrorText } from '../errors/refusal-details.js';
import type { CompletedGeneration } from '../generation/collect-generation.js';
import type { GenerationEventBatch } from '../generation/generation-event.js';
import type { GenerationRequest, RequestSource } from '../generation/generation-request.js';
import type { RequestLimits } from '../models/request-limits.js';
import type { AccountId, RequestId } from '../primitives/ids.js';
import type { JsonObject } from '../primitives/json.js';
import type { TokenCount } from '../primitives/token-count.js';
import type { Instant } from '../primitives/time.js';
import type { ResponseToKeep, StoredResponse } from './response-store.js';

export interface DecodedRequest<Echo = unknown> {
  readonly generation: GenerationRequest;
  readonly delivery: 'whole' | 'stream';
  /** True if the last event of a stream carries token counts. */
  readonly includeUsage: boolean;
  /** The client's field for the maximum output. */
  readonly outputField: string;
  /** What the response repeats of the request; opaque outside the format. */
  readonly echo?: Echo;
}

export interface DecodeTerms {
  readonly limits: RequestLimits;
  readonly accountId: AccountId;
  /** Stored responses that the request refers to, by id. */
  readonly stored: ReadonlyMap<string, StoredResponse>;
  /** True if the stored responses exceed `MAX_STORED_BYTES_OF_REQUEST`; `stored` is then incomplete. */
  readonly exceedsStored: boolean;
  /** Parsed texts of `stored`; default: parsed on demand. */
  readonly texts?: StoredTexts;
  /** True if the installation stores the response of every request that does not decline storage. */
  readonly keepsReplies: boolean;
}

/** Parses in steps, so that the event loop is not blocked. */
export interface StoredTexts {
  /** Parses texts of at least `characters` in total; false once no text is left. */
  parseSome(characters: number): boolean;
}

export interface EncodeContext {
  readonly responseId: string;
  readonly createdAt: Instant;
  readonly requestId: RequestId;
  readonly includeUsage: boolean;
  /** `echo` of the decoded request. */
  readonly echo?: unknown;
}

/** Encodes one stream. */
export interface StreamEncoder {
  /** Takes the batches in order; the result may be empty. */
  encode(events: GenerationEventBatch): string;
  /** Ends a stream that broke off. */
  encodeError(error: GatewayError): string;
  /** Keep-alive frame for a silent stream, if the frame depends on earlier frames; replaces `keepAliveFrame`. */
  keepAlive?(): string;
}

export interface WireFormat {
  readonly name: WireFormatName;
  readonly responseIdPrefix: string;
  /** Frame for a silent stream; clients ignore it. */
  readonly keepAliveFrame: string;
  /**
   * `source`: the body as it was written. Without `terms`, the default limits apply. Throws `GatewayError('invalid_request')` with the field path.
   */
  decodeRequest(body: unknown, source?: RequestSource | null, terms?: DecodeTerms): DecodedRequest;
  /** `outputField` is that of the decoded request. */
  describeOverflow(overflow: ContextOverflow, outputField: string): ErrorText;
  /** Returns JSON text, so that the model's JSON is sent verbatim. */
  encodeResponse(generation: CompletedGeneration, context: EncodeContext): string;
  streamEncoder(context: EncodeContext): StreamEncoder;
  encodeError(error: GatewayError, requestId: RequestId): JsonObject;
}

/** Format of routes that only count tokens. */
export interface TokenCountFormat {
  decodeTokenCount(body: unknown, terms?: DecodeTerms): GenerationRequest;
  encodeTokenCount(inputTokens: TokenCount): JsonObject;
}

/** Stored responses that are needed to decode a request. */
export interface StoredReferences {
  /** Response that the request continues, needed with its predecessors; `null` for none. */
  readonly previousId: string | null;
  /** Responses with items that the request refers to. */
  readonly responseIds: readonly string[];
}

/** For formats whose requests may refer to earlier responses. */
export interface StoringFormat {
  /** Returns the texts unparsed. */
  textsOf(references: StoredReferences, found: Pick<DecodeTerms, 'stored' | 'exceedsStored'>): StoredTexts;
  /** Reads references only; `decodeRequest` validates the body. */
  referencesIn(body: unknown): StoredReferences;
  /** True if the installation stores responses, the request does not decline storage, and its input is not too large. */
  wantsKeeping(context: EncodeContext): boolean;
  /** `null` if `wantsKeeping` is false. */
  keptForm(generation: CompletedGeneration, context: EncodeContext): ResponseToKeep | null;
  /** The request's own input items, in order, as the format lists them. */
  inputItemsOf(response: StoredResponse): readonly (JsonObject & { readonly id: string })[];
  /** Makes the end of the response state that the response is stored. Must be called before that end is encoded. */
  markKept(context: EncodeContext, form: ResponseToKeep): void;
}

/** Authenticated encryption of data that clients keep between requests. The gateways of an installation share the key. */
export interface ReasoningSeal {
  /** Returns printable ASCII without quotes or backslashes. */
  seal(accountId: AccountId, text: string): string;
  /** `null` if the text is invalid or was sealed for another account or under a key that is no longer in use. Never throws. */
  open(accountId: AccountId, sealed: string): string | null;
}
