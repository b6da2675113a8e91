export { LinearTokenEstimator } from './estimator/linear-token-estimator.js';
export type { ReasoningRefusal, ReasoningRefusalListener } from './http/failures.js';
export { DEFAULT_TIMEOUTS, type Timeouts } from './http/time-limits.js';
export type { AskableUpstream } from './discovery/native-windows.js';
export { type DiscoveredList, type DiscoveredModel, discoverModels } from './discovery/discover-models.js';
export type { CallFacts, CircuitState } from './routing/circuit.js';
export type { FailedCall, UpstreamReport } from './routing/guarded-upstream.js';
export type { UpstreamPorts } from './routing/upstream-provider.js';
export { type ModelTrial, type TrialFailure, trialFailure, type TriedModel, tryModel } from './discovery/try-model.js';
export { saidByUpstream } from './routing/said-by-upstream.js';
export { type CircuitStatus, UpstreamRouter } from './routing/upstream-router.js';
export { REFUSAL_CODES } from './sandbox/triggers.js';
export {
  type AnthropicOptions, type AnthropicUpstream, type ConnectionOptions, DEFAULT_ANTHROPIC_OPTIONS, DEFAULT_OPENAI_OPTIONS, type OpenaiOptions,
  type OpenaiUpstream, type OutputLimitField, type ReasoningStyle, type SandboxUpstream, type SystemTurnStyle, type ThinkingStyle, type UpstreamDefinition,
} from './upstream-definition.js';
export { UpstreamFailure, type UpstreamFailureReason, type UpstreamReply } from './upstream-failure.js';
