// What destroys is proposed before it is done: the command is run dry, and whoever called has to agree
// to what it would do. The one place where that is decided, for every command and every surface.

import { CtxError } from "../core/errors.ts";
import type { Command, Context, Proposal } from "./command.ts";
import type { ObjectOf, Shapes } from "./shape.ts";

/** The input that was agreed to; throws UNCONFIRMED when nobody agreed to what it destroys. */
export async function propose<I extends Shapes, O extends Shapes>(
  command: Command<I, O>,
  input: ObjectOf<I>,
  context: Context,
): Promise<ObjectOf<I>> {
  const { consent } = context;
  if (command.question === undefined || consent === true || isDry(input)) return input;
  const isGrave = command.destroys?.(input) ?? command.effect === "destroy";
  const planned = isGrave ? await command.run({ ...input, dry_run: true }, context) : undefined;
  const question = command.question(input, planned);
  if (question === undefined || (!isGrave && consent === undefined)) return input;
  const proposal = { command, question, ...(planned === undefined ? {} : { planned }) };
  await getConsent(proposal, context);
  return planned === undefined ? input : command.agreed?.(input, planned) ?? input;
}

/** Has a proposal agreed to; throws UNCONFIRMED when it is not, or when nobody is there to say so. */
export async function getConsent(proposal: Proposal, { consent }: Context): Promise<void> {
  if (consent === true || await consent?.(proposal)) return;
  throw new CtxError(
    "UNCONFIRMED",
    `Nothing was done: ${proposal.command.name} was not confirmed`,
    {
      hint: "answer y, or pass --yes",
    },
  );
}

function isDry(input: object): boolean {
  return "dry_run" in input && input.dry_run === true;
}
