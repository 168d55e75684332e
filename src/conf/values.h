/* SPDX-License-Identifier: GPL-2.0-or-later */
/* values.h - one parser for each kind of value in the configuration file */
#ifndef PORTICO_CONF_VALUES_H
#define PORTICO_CONF_VALUES_H

#include "keys.h"

conf_value value_name;	    /* of an instance */
conf_value value_number;    /* min ... max */
conf_value value_word;	    /* one of form's words; stores its place */
conf_value value_time;	    /* seconds, or with a suffix s, m, h, d; min ... max */
conf_value value_interface; /* a name that a network interface can have */
conf_value value_prefix;    /* a host's address with the length of its prefix */
conf_value value_address;   /* a host's address */
conf_value value_lladdr;
conf_value value_neighbour; /* address and MAC address */
conf_value value_ports;	    /* a range */
conf_value value_reserve;   /* ports and ranges */

#endif
