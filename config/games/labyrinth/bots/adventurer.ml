(* An adventurer for Labyrinth: straight on until a hedge is in the way.

   Then it turns into a random open direction, and back only where nothing else
   is open. It plays with and without map, because it never looks at the map.

   A better adventurer would remember what it has seen, and head for the
   treasure in column 1 of row 1.

   Build with: ocamlopt -o adventurer adventurer.ml *)

(* The judge's numbers: 0 north, 1 east, 2 south, 3 west. North is up.
   For each of them: where it leads, counted from the middle of what we see. *)
let steps = [| (0, -1); (1, 0); (0, 1); (-1, 0) |]

(* Returns the 5 by 5 fields around us: view.(row).(column), we are view.(2).(2). *)
let ask_field_of_view () =
  (* print_endline sends the line at once; print_string would keep it back
     until there are some thousand bytes, and both sides would wait. *)
  print_endline "FieldOfView";
  let row _ = Array.of_list (String.split_on_char ' ' (String.trim (read_line ()))) in
  Array.init 5 row

(* Returns where to go next. `direction` is where we went last, None at first. *)
let choose view direction =
  let is_open way =
    let dx, dy = steps.(way) in
    view.(2 + dy).(2 + dx) <> "O" (* `O` is a hedge. *)
  in
  let ways = List.filter is_open [ 0; 1; 2; 3 ] in
  (* Never empty: the architect must not wall us in. *)
  let any ways = List.nth ways (Random.int (List.length ways)) in
  match direction with
  | None -> any ways
  | Some ahead when is_open ahead -> ahead
  | Some ahead ->
    let back = (ahead + 2) mod 4 in
    (match List.filter (fun way -> way <> back) ways with
     | [] -> back
     | others -> any others)

let rec play direction =
  let way = choose (ask_field_of_view ()) direction in
  print_endline ("MakeStep " ^ string_of_int way);
  print_endline "#END";
  play (Some way)

let () =
  Random.self_init ();
  (* At the end of the input the judge has gone: the match is over. *)
  try play None with End_of_file -> ()
