import { runClosedLoad, runOpenLoad, runStreamLoad } from './loads.js';
import { ConversationNumbers } from './requests.js';
import type { LoadCommand, LoadResult } from './load-generator.js';

const NUMBERS = ConversationNumbers.fromNow();

function run(command: LoadCommand): Promise<LoadResult> {
  switch (command.load) {
    case 'closed': return runClosedLoad(command, NUMBERS);
    case 'open': return runOpenLoad(command, NUMBERS);
    case 'streams': return runStreamLoad(command, NUMBERS);
  }
}

process.on('message', (message: object) => {
  if (!('load' in message)) return;
  void run(message as LoadCommand).then((result) => process.send?.(result));
});
// The channel keeps the process waiting for loads until the bench ends it.
process.channel?.ref();
