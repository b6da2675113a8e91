import { NativeSelect } from '@mantine/core';
import { playground as texts } from '#texts/playground';
import { perMillion, priceText } from '../../format/price';
import { modelNamer } from '../models/model-choices';
import type { OfferedModel } from './model-order';

interface ModelPickerProps {
  readonly models: readonly OfferedModel[];
  readonly value: string;
  readonly label?: string;
  readonly onChange: (model: string) => void;
}

export function ModelPicker({ models, value, label = texts.model, onChange }: ModelPickerProps) {
  const modelName = modelNamer(models);
  const pricing = models.find(({ id }) => id === value)?.pricing;
  const prices = pricing === undefined ? undefined : texts.prices(priceText(perMillion(pricing.prompt, pricing.usd_per_service_token)), priceText(perMillion(pricing.output, pricing.usd_per_service_token)));
  return (
    <NativeSelect
      label={label} value={value} description={prices} onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={models.map(({ id, in_plan: inPlan }) => ({ value: id, label: inPlan ? modelName(id) : `${modelName(id)} – ${texts.notInPlan}`, disabled: !inPlan }))}
    />
  );
}
