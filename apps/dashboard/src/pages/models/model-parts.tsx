import { Badge } from '@mantine/core';
import { models as texts } from '#texts/models';
import { TextLink } from '../../components/link';
import { Status } from '../../components/status';
import type { Model } from './model-facts';

/** Marks simulated models. */
export function ModelName({ model: { id, simulated } }: { readonly model: Model }) {
  return <><TextLink to="/models/$id" params={{ id }}>{id}</TextLink>{simulated && <> <Badge color="gray">{texts.simulated}</Badge></>}</>;
}

export function Reasoning({ model: { reasoning, reasoning_assumed: assumed } }: { readonly model: Model }) {
  if (!reasoning) return <>{texts.no}</>;
  return <>{assumed ? texts.assumed : texts.yes}</>;
}

export function InPlan({ model: { in_plan: inPlan } }: { readonly model: Model }) {
  return inPlan ? <>{texts.yes}</> : <Status value={texts.notInPlan} tone="neutral" />;
}
