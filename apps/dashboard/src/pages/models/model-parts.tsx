import { Badge } from '@mantine/core';
import { models as texts } from '#texts/models';
import { TextLink } from '../../components/link';
import { Status } from '../../components/status';
import type { Model } from './model-facts';
import classes from './models.module.css';

/** Name of a model, with the id that programs send. Marks simulated models. */
export function ModelName({ model: { id, display_name: name, simulated } }: { readonly model: Model }) {
  return <><TextLink to="/models/$id" params={{ id }}>{name}</TextLink>{simulated && <> <Badge color="gray">{texts.simulated}</Badge></>}{name !== id && <span className={`mono muted ${classes['id']}`}>{id}</span>}</>;
}

export function Reasoning({ model: { reasoning, reasoning_assumed: assumed } }: { readonly model: Model }) {
  if (!reasoning) return <>{texts.no}</>;
  return <>{assumed ? texts.assumed : texts.yes}</>;
}

export function InPlan({ model: { in_plan: inPlan } }: { readonly model: Model }) {
  return inPlan ? <>{texts.yes}</> : <Status value={texts.notInPlan} tone="neutral" />;
}
