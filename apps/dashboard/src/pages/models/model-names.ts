import type { OptionsFilter } from '@mantine/core';
import { useMemo } from 'react';
import { useRoute } from '../../api/use-route';
import { type Choice, isFound, modelChoices, modelNamer } from './model-choices';

/** Returns the name that people read instead of a model's id. */
export type ModelNamer = (id: string) => string;

export function useModelNames(): ModelNamer {
  const { data } = useRoute('listModels', {});
  return useMemo(() => modelNamer(data?.data ?? []), [data]);
}

/** All models of the catalogue. */
export function useModelChoices(): readonly Choice[] {
  const { data } = useRoute('listModels', {});
  return useMemo(() => modelChoices(data?.data ?? []), [data]);
}

/** Filter for lists that search models by name and id. */
export const modelFilter: OptionsFilter = ({ options, search }) => options.filter((option) => !('value' in option) || isFound(option, search));
