/** One process of the long run: every second list, until the time is over. A list that fails is shrunk and printed. */
import { once } from 'node:events';
import { orderOf, type Shard, type ShardOrder } from './campaign.ts';
import { type Counters, listWords, shrink, tell } from './lists.ts';

async function runShard({ seed, step, minutes }: ShardOrder): Promise<Shard> {
  const end = performance.now() + minutes * 60_000;
  const counters: Counters = new Map();
  let [next, broken, payments, commands] = [seed, 0, 0, 0];
  for (; performance.now() < end; next += step) {
    const order = { ...orderOf(next), counters };
    const told = await tell(order);
    payments += told.payments;
    commands += told.commands.length;
    if (told.broken.length > 0) {
      broken += 1;
      process.stdout.write(`seed ${next}:\n${listWords(await shrink(order, told))}\n`);
    }
  }
  return { next, trials: (next - seed) / step, broken, payments, commands, counters: [...counters] };
}

const [order] = (await once(process, 'message')) as [ShardOrder];
const shard = await runShard(order);
process.send!(shard, () => process.disconnect());
