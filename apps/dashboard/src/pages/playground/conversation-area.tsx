import { Anchor, Button } from '@mantine/core';
import { playground as texts } from '#texts/playground';
import type { Reply } from '../../api/call';
import { Amount } from '../../components/amount';
import { EmptyState } from '../../components/empty-state';
import { readsImages } from '../models/model-facts';
import { ModelLabel } from '../models/model-label';
import { Composer } from './composer';
import { ComparisonLine, LaneFoot } from './lane-foot';
import { LaneView } from './lane-view';
import type { OfferedModel } from './model-order';
import { ModelPicker } from './model-picker';
import classes from './playground.module.css';
import type { Playground } from './use-playground';

function Estimate({ estimate, model }: { readonly estimate: Reply<'countPlayground'> | undefined; readonly model: string | null }) {
  if (estimate === undefined) return null;
  const name = model === null ? null : <strong><ModelLabel id={model} />: </strong>;
  if (!estimate.covered) return <span className={classes['problem']}>{name}{texts.uncovered} <Amount value={estimate.reserved.svc_tokens} usd={estimate.reserved.usd} full alone />.</span>;
  return <span className={classes['small']}>{name}{texts.estimate(estimate.prompt_tokens)} <Amount value={estimate.reserved.svc_tokens} usd={estimate.reserved.usd} full alone /> {texts.forRequest}</span>;
}

function ComparedLanes({ models, playground: { lanes, edit } }: { readonly models: readonly OfferedModel[]; readonly playground: Playground }) {
  return (
    <div className={classes['lanes']}>
      {lanes.map((lane, index) => {
        const name = index === 0 ? texts.firstModel : texts.secondModel;
        return (
          <section key={name} className={classes['lane']} aria-label={name}>
            <ModelPicker models={models} label={name} value={lane.settings.model} onChange={(model) => lane.change({ model })} />
            <LaneView lane={lane} label={texts.conversationWith(lane.settings.model)} empty={<p className="muted">{texts.beginComparison}</p>} onEdit={edit} />
            <LaneFoot lane={lane} />
          </section>
        );
      })}
    </div>
  );
}

/** The conversation, and the message being written. */
export function ConversationArea({ models, playground }: { readonly models: readonly OfferedModel[]; readonly playground: Playground }) {
  const { lanes, shown, isComparing, isAnswering, draft, setDraft, send, stop, edit, clear } = playground;
  const empty = (
    <EmptyState
      title={texts.begin}
      action={<div className={classes['prompts']}>{texts.prompts.map((prompt) => <Button key={prompt} variant="default" className={classes['prompt']} onClick={() => setDraft({ ...draft, text: prompt })}>{prompt}</Button>)}</div>}
    />
  );
  return (
    <div className={classes['main']}>
      {isComparing ? <ComparedLanes models={models} playground={playground} /> : <LaneView lane={lanes[0]} label={texts.conversation} empty={empty} onEdit={edit} />}
      {isComparing && <ComparisonLine lanes={lanes} />}
      <Composer
        draft={draft} calls={shown.flatMap(({ calls }) => calls)} isAnswering={isAnswering} wait={Math.max(...shown.map(({ wait }) => wait))} isComparing={isComparing}
        readsPictures={shown.every(({ settings }) => models.every((model) => model.id !== settings.model || readsImages(model)))}
        canSend={shown.some(({ canSend }) => canSend) && shown.every(({ isValid }) => isValid)} onChange={setDraft} onSend={send} onStop={stop}
      />
      {shown.map(({ estimate, settings: { model } }, index) => <Estimate key={index} estimate={estimate} model={isComparing ? model : null} />)}
      <p className={classes['small']}>{texts.kept}{shown.some(({ turns }) => turns.length > 0) && <> <Anchor component="button" type="button" inherit onClick={clear}>{texts.clearKept}</Anchor></>}</p>
    </div>
  );
}
