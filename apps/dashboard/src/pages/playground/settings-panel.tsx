import { JsonInput, NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { playground as texts } from '#texts/playground';
import { EFFORTS, readTools, type Settings, stopSequences } from './conversation';
import type { OfferedModel } from './model-order';
import { FORMATS } from './reply';
import { ModelPicker } from './model-picker';
import classes from './playground.module.css';

interface SettingsProblems {
  readonly maximum?: string;
  readonly temperature?: string;
  readonly topP?: string;
  readonly stop?: string;
  readonly tools?: string;
}

/** Maximum number that the chat format accepts. */
const MAX_STOP_SEQUENCES = 4;

/** Problems by field; empty if the settings are valid. */
export function settingsProblems(settings: Settings): SettingsProblems {
  const { maximum, temperature, topP, tools } = settings;
  const read = readTools(tools);
  return {
    ...(maximum === '' || /^[1-9]\d{0,8}$/.test(maximum) ? {} : { maximum: texts.maximumInvalid }),
    ...(temperature === '' || /^(?:[01](?:\.\d+)?|2(?:\.0+)?)$/.test(temperature) ? {} : { temperature: texts.temperatureInvalid }),
    ...(topP === '' || /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(topP) ? {} : { topP: texts.topPInvalid }),
    ...(stopSequences(settings).length <= MAX_STOP_SEQUENCES ? {} : { stop: texts.stopInvalid }),
    ...('problem' in read ? { tools: texts.toolProblems[read.problem] } : {}),
  };
}

interface SettingsPanelProps {
  readonly settings: Settings;
  /** In the order in which they are offered. */
  readonly models: readonly OfferedModel[];
  readonly onChange: (change: Partial<Settings>) => void;
}

export function SettingsPanel({ settings, models, onChange }: SettingsPanelProps) {
  const chosen = models.find(({ id }) => id === settings.model);
  const problems = settingsProblems(settings);
  return (
    <div className={classes['settings']}>
      <ModelPicker models={models} value={settings.model} onChange={(model) => onChange({ model })} />
      <SegmentedControl
        aria-label={texts.format} value={settings.format} onChange={(format) => onChange({ format })}
        data={FORMATS.map((value) => ({ value, label: texts.formats[value] }))}
      />
      <Textarea label={texts.system} placeholder={texts.systemPlaceholder} autosize minRows={2} maxRows={8} value={settings.system} onChange={({ currentTarget }) => onChange({ system: currentTarget.value })} />
      <TextInput
        label={texts.maximum} description={texts.maximumHelp} inputMode="numeric" value={settings.maximum} error={problems.maximum} autoComplete="off"
        onChange={({ currentTarget }) => onChange({ maximum: currentTarget.value.trim() })}
      />
      <TextInput
        label={texts.temperature} description={texts.temperatureHelp} inputMode="decimal" value={settings.temperature} error={problems.temperature} autoComplete="off"
        onChange={({ currentTarget }) => onChange({ temperature: currentTarget.value.trim() })}
      />
      <TextInput
        label={texts.topP} description={texts.topPHelp} inputMode="decimal" value={settings.topP} error={problems.topP} autoComplete="off"
        onChange={({ currentTarget }) => onChange({ topP: currentTarget.value.trim() })}
      />
      <Textarea
        label={texts.stopSequences} description={settings.format === 'responses' ? texts.noStop : texts.stopHelp} autosize minRows={1} maxRows={5} value={settings.stop} error={problems.stop}
        disabled={settings.format === 'responses'} onChange={({ currentTarget }) => onChange({ stop: currentTarget.value })}
      />
      {chosen?.reasoning === true && (
        <NativeSelect
          label={texts.effort} value={settings.effort} data={EFFORTS.map((value) => ({ value, label: texts.efforts[value] }))}
          onChange={({ currentTarget }) => onChange({ effort: EFFORTS.find((effort) => effort === currentTarget.value) ?? 'default' })}
        />
      )}
      <JsonInput
        label={texts.tools} description={texts.toolsHelp} autosize minRows={2} maxRows={12} value={settings.tools} error={problems.tools} onChange={(tools) => onChange({ tools })}
        classNames={{ input: 'mono' }} spellCheck={false}
      />
      <p className={classes['small']}>{texts.billed}</p>
    </div>
  );
}
