/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core.h - the entry: a host includes this last */
#ifndef PORTICO_DP_CORE_H
#define PORTICO_DP_CORE_H

#include "napt.h"
#include "relay.h"

/* What follows the parser, with its outcome REASON_NONE. */
dp_fn enum reason core_forward(const struct step *s, u32 kind, struct meta *m, struct way *way)
{
	return kind & KIND_BR ? relay_forward(s, kind, m, way) : napt_forward(s, kind, m, way);
}

/* One usual frame, in one go. FORWARD: it is ready for way->hop. Any other verdict, and STEP_RARE: the frame is as it
 * came. */
dp_fn enum reason core_run(const struct step *s, u32 kind, struct meta *m, struct way *way)
{
	enum reason why = step_parse(s, kind, m);

	return why ? why : core_forward(s, kind, m, way);
}

#endif
